import { answerAddByHand } from '../by-hand/answer-add.ts'
import { openPostgresByHand } from '../by-hand/postgres-shop.ts'
import { runClicks } from '../measure/run-clicks.ts'
import { databaseUrl } from '../store/database-url.ts'
import { firstDay } from '../store/first-day.ts'

runClicks(answerAddByHand(openPostgresByHand(databaseUrl(), firstDay)))
