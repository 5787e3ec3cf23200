import * as z from 'zod/mini'
import { Email } from './fields.ts'

/** A customer and nothing else: what getSubscription, sendNow and listCancelledSubscriptions take (EMAIL-1). */
export const CustomerInput = z.object({ email: Email })
/** A customer and nothing else: what getSubscription, sendNow and listCancelledSubscriptions take (EMAIL-1). */
export type CustomerInput = z.infer<typeof CustomerInput>
