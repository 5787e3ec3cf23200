import { behavesLikeSqlLedger } from './behaves-like-sql-ledger.ts'
import { openPostgres, openSqlite } from './databases.ts'

behavesLikeSqlLedger('SQLite', openSqlite)
behavesLikeSqlLedger('PostgreSQL', openPostgres)
