import type { ChargeOrder } from '@storeport/rules'

/** Charges an order before it is saved. Without it, you charge an order when you fulfill it. */
export const charge: ChargeOrder | undefined = undefined
