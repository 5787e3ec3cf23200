export type * from './account/customer-account.ts'
export { billDue, billUncharged, findDue, readBillLimit } from './account/bill-due.ts'
export type { BillDueOptions, BillDueResult, BillPosition } from './account/bill-due.ts'
export { checkAccount } from './account/check-account.ts'
export { completedClick, nextOrderTotals } from './account/orders.ts'
export {
  isUsableProductId,
  nextBillingAfter,
  nextBillingDate,
  shownDate,
  soonest,
  wireItemId,
} from './account/subscriptions.ts'
export { fromProduct } from './account/wire.ts'
export { addProduct } from './operations/add-product.ts'
export * from './bind-rules.ts'
export * from './changes-of.ts'
export * from './charge-orders.ts'
export { delaySubscription } from './operations/delay-subscription.ts'
export { getDiscount } from './operations/get-discount.ts'
export { getSubscription } from './operations/get-subscription.ts'
export { listCancelledSubscriptions } from './operations/list-cancelled-subscriptions.ts'
export { listProducts } from './operations/list-products.ts'
export { reactivateSubscription } from './operations/reactivate-subscription.ts'
export * from './operations/define-rule.ts'
export { sendNow } from './operations/send-now.ts'
export { swapProduct } from './operations/swap-product.ts'
export { undoAddProduct } from './operations/undo-add-product.ts'
export { readShopData, type ShopRecords } from './seed/read-shop-data.ts'
export type * from './seed/shop-data.ts'
export { seed } from './seed/seed.ts'
export { addDays, addMonths, dateIn, isDate, toMinor } from '@storeport/core'
export {
  type Availability,
  type CatalogueProduct,
  type ClockOptions,
  codeKey,
  createClock,
  type DiscountLimits,
  type DiscountTerms,
  type DiscountWorth,
  emailKey,
  type IdKind,
  isAvailable,
  type LoadedShop,
  readShopOptions,
  type Shop,
  type ShopOptions,
  type ShopSettings,
  toMajor,
} from './shop/shop.ts'
