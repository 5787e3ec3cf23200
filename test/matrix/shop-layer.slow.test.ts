import { behavesInTheShop } from '@storeport/testing/behaves-over'
import { mounts } from './mounts.ts'

for (const [name, mount] of Object.entries(mounts)) await behavesInTheShop(name, mount)
