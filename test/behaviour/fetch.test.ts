import { fetchMount } from '../mounts/fetch.ts'
import { behavesOverMemory } from './behaves-over.ts'

await behavesOverMemory('fetch', fetchMount)
