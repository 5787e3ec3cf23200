import { createServer } from 'node:http'
import { listenByHand } from '../by-hand/listener.ts'
import { runServer } from '../measure/follow-orders.ts'

runServer(createServer(listenByHand))
