import { checkWireLayer } from '@storeport/testing/run-conformance'
import { express4AfterParsersMount, express5AfterParsersMount, expressPrefixMount } from './express.ts'

await checkWireLayer('express below a prefix', expressPrefixMount)
await checkWireLayer('express 5 after body parsers', express5AfterParsersMount)
await checkWireLayer('express 4 after body parsers', express4AfterParsersMount)
