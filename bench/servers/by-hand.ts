import { createServer } from 'node:http'
import { byHand } from '../by-hand/listener.ts'
import { runServer } from '../measure/run-server.ts'

runServer(createServer(byHand))
