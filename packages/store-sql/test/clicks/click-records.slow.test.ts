import { describePostgres } from '@storeport/testing/stores/describe-databases'
import { behavesLikeClickRecords } from './behaves-like-click-records.ts'

await describePostgres('click records', behavesLikeClickRecords)
