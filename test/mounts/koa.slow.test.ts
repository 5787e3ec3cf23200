import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { koaMount } from './koa.ts'

await behavesOnTheWire('koa', koaMount)
