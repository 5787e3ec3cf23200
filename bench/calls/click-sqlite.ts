import { answerAddByHand } from '../by-hand/answer-add.ts'
import { openSqliteByHand } from '../by-hand/sqlite-shop.ts'
import { runClicks } from '../measure/run-clicks.ts'
import { databaseUrl } from '../store/database-url.ts'
import { firstDay } from '../store/first-day.ts'

runClicks(answerAddByHand(openSqliteByHand(databaseUrl().slice('sqlite:'.length), firstDay)))
