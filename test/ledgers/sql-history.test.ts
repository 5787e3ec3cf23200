import { behavesLikeSqlHistory } from './behaves-like-sql-history.ts'
import { openPostgres, openSqlite } from './databases.ts'

behavesLikeSqlHistory('SQLite', openSqlite)
behavesLikeSqlHistory('PostgreSQL', openPostgres)
