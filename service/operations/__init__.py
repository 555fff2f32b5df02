"""The operations of the house, one verb a function: the only writers of the database.

The first parameter tells who opens the transaction. An operation with `house: Runtime` opens a transaction
of its own and commits it. A function with `session: Session` takes part in its caller's transaction and never
commits. A refusal is raised as a `Problem`. Notifications go through `after_commit`, so that none is sent
for a change that was not committed.
"""
