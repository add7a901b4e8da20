"""The history of records: what a site had at each visit, in SQLite or PostgreSQL; what is new, gone and changed."""
