"""What the house does, one verb a function: the only writers of the database.

The first parameter tells who opens the transaction. `house: House`: the
operation opens one transaction of its own and commits it. `session: Session`:
the function takes part in its caller's transaction, and never commits. A
refusal is raised as a `Problem`. What others must hear of goes through
`after_commit`, so that nothing is told before it is true.
"""
