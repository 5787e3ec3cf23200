import { describeSqlite } from '@storeport/testing/stores/describe-databases'
import { behavesLikeClickRecords } from './behaves-like-click-records.ts'

await describeSqlite('click records', behavesLikeClickRecords)
