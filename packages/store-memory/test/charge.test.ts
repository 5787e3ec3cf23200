import { createMemoryStore } from '@storeport/store-memory'
import { chargesOrders } from '@storeport/testing/charges-orders'

chargesOrders(createMemoryStore)
