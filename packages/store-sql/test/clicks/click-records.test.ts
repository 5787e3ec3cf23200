import { describeSqlite } from '@storeport/testing/describe-databases'
import { behavesLikeClickRecords } from './behaves-like-click-records.ts'

await describeSqlite('click records', behavesLikeClickRecords)
