import { openByHand } from '../by-hand/click.ts'
import { respondByHand } from '../by-hand/listener.ts'
import { runClicks } from '../measure/follow-orders.ts'
import { post } from '../measure/requests.ts'

const add = await openByHand(process.env['BENCH_DATABASE'] ?? '')
const request = post('upsells/add-product', {})

runClicks((body) => respondByHand(request, () => Promise.resolve(body), add))
