import { clientMount } from './client.ts'
import { behavesOnTheWire } from '@storeport/testing/behaves-over'

await behavesOnTheWire('client', clientMount)
