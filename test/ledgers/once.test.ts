import { behavesLikeOnce } from './behaves-like-once.ts'
import { openPostgres, openSqlite } from './databases.ts'

behavesLikeOnce('SQLite', openSqlite)
behavesLikeOnce('PostgreSQL', openPostgres)
