import { behavesLikeLedger } from './behaves-like-ledger.ts'
import { openPostgres, openSqlite } from './databases.ts'
import { memoryStorage, storagesIn } from './storages.ts'

behavesLikeLedger('memory', memoryStorage)
behavesLikeLedger('SQLite', storagesIn(openSqlite))
behavesLikeLedger('PostgreSQL', storagesIn(openPostgres))
