import { clientMount } from '../mounts/client.ts'
import { behavesOverMemory } from './behaves-over.ts'

await behavesOverMemory('client', clientMount)
