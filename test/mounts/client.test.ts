import { clientMount } from './client.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('client', clientMount)
