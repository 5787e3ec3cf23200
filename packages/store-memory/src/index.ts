export { createMemoryStore } from './create-memory-store.ts'
export type * from './memory-store.ts'
export { seed, type ShopData } from '@storeport/rules'
