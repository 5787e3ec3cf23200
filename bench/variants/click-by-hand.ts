import { openByHand } from '../by-hand/click.ts'
import { runClicks } from '../measure/follow-orders.ts'

const add = await openByHand(process.env['BENCH_DATABASE'] ?? '')
runClicks((body) => add(JSON.parse(body)))
