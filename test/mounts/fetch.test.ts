import { fetchMount } from './fetch.ts'
import { behavesOverMemory } from '@storeport/testing/behaves-over'

await behavesOverMemory('fetch', fetchMount)
