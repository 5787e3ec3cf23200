import { behavesLikeShop } from '@storeport/testing/behaves-like-shop'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'

await describeDatabases('an SQL store', (database) => {
  behavesLikeShop((options) => database.open(options))
})
