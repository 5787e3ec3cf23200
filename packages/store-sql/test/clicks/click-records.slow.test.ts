import { describePostgres } from '@storeport/testing/describe-databases'
import { behavesLikeClickRecords } from './behaves-like-click-records.ts'

await describePostgres('click records', behavesLikeClickRecords)
