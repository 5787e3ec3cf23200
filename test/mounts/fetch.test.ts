import { behavesOnTheWire } from '@storeport/testing/behaves-over'
import { fetchMount } from './fetch.ts'

await behavesOnTheWire('fetch', fetchMount)
