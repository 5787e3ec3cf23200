import { createServer } from 'node:http'
import { runServer } from '../measure/run-server.ts'
import { expressApp } from '../peers/express.ts'

runServer(createServer(expressApp))
