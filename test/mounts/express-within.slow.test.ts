import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { express4AfterParsersMount, express5AfterParsersMount, expressPrefixMount } from './express.ts'

await behavesOnTheWire('express below a prefix', expressPrefixMount)
await behavesOnTheWire('express 5 after body parsers', express5AfterParsersMount)
await behavesOnTheWire('express 4 after body parsers', express4AfterParsersMount)
