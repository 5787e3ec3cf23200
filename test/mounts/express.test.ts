import {
  express4AfterParsersMount,
  express4Mount,
  express5AfterParsersMount,
  express5Mount,
  expressPrefixMount,
} from './express.ts'
import { behavesOnTheWire } from '@storeport/testing/behaves-over'

await behavesOnTheWire('express 5', express5Mount)
await behavesOnTheWire('express 4', express4Mount)
await behavesOnTheWire('express below a prefix', expressPrefixMount)
await behavesOnTheWire('express 5 after body parsers', express5AfterParsersMount)
await behavesOnTheWire('express 4 after body parsers', express4AfterParsersMount)
