"""A rehearsed evening: bots come to a new house as people would, and its books are checked afterwards.

`venue` opens the house and kills a worker, `guests` are the players in processes of their own, `rehearsal`
lets the evening run, and `afterwards` checks what it left.
"""
