import { createMemoryStore } from '@storeport/store-memory'
import { behavesLikeShop } from '@storeport/testing/behaves-like-shop'
import { chargesOrders } from '@storeport/testing/charges-orders'

behavesLikeShop(createMemoryStore)
chargesOrders(createMemoryStore)
