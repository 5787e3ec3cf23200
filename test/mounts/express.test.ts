import {
  express4AfterParsersMount,
  express4Mount,
  express5AfterParsersMount,
  express5Mount,
  expressPrefixMount,
} from './express.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('express 5', express5Mount)
await behavesOverMemory('express 4', express4Mount)
await behavesOverMemory('express below a prefix', expressPrefixMount)
await behavesOverMemory('express 5 after body parsers', express5AfterParsersMount)
await behavesOverMemory('express 4 after body parsers', express4AfterParsersMount)
