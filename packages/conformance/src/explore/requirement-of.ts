import type { ErrorCode } from '@storeport/core'
import type { DiscountTerms } from '@storeport/rules'
import { isSameList } from '../engine/compare-views.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Difference } from './compare.ts'
import { type Change, keepsProduct } from './model.ts'
import type { Form } from './steps.ts'

/** The requirement of a difference, and its likely cause if the sequence shows more than the requirement. */
export interface Named {
  readonly requirement: RequirementId
  readonly cause?: string
}

type ChangeName = Change['name']

const accepted: Readonly<Record<ChangeName, RequirementId>> = {
  addProduct: 'ADD-1',
  undoAddProduct: 'UNDO-1',
  swapProduct: 'SWAP-1',
  delaySubscription: 'DELAY-1',
  sendNow: 'SEND-1',
  reactivateSubscription: 'REACTIVATE-1',
  runCustomAction: 'ACTION-1',
}

/** Returns the requirement of a change that the shop rejects, although it must succeed. */
export function ofRejection(name: ChangeName): Named {
  return name === 'sendNow'
    ? {
        requirement: 'SEND-1',
        cause: 'The daily limit applies to the whole shop. Store the date of the last order for each customer.',
      }
    : { requirement: accepted[name] }
}

/** Requirements of changes whose code is unknown or has expired. */
const invalidCode: Readonly<Partial<Record<ChangeName, RequirementId>>> = {
  swapProduct: 'SWAP-9',
  reactivateSubscription: 'REACTIVATE-7',
}

/** Returns the requirement of a change that the shop accepts, although it must be rejected. */
export function ofAcceptance({ name }: Change, code: ErrorCode | undefined): Named {
  if (code === 'invalid_discount_code') return { requirement: invalidCode[name] ?? 'ADD-13' }
  if (name === 'sendNow')
    return {
      requirement: 'SEND-3',
      cause:
        'Another change of the customer ends the daily limit, or the limit applies to each subscription. Store the date of the last order for each customer.',
    }
  if (code === 'invalid_request') return { requirement: 'FIELD-8' }
  const requirements: Readonly<Partial<Record<ChangeName, RequirementId>>> = {
    addProduct: code === 'subscription_not_found' ? 'ADD-7' : 'ADD-8',
    undoAddProduct: 'UNDO-5',
    swapProduct: 'SWAP-3',
    delaySubscription: 'DELAY-3',
  }
  return { requirement: requirements[name] ?? 'MODEL-1' }
}

/** The requirement of a change that depends on a concurrent change of another customer. */
export const ofOther: Named = {
  requirement: 'CUSTOMER-2',
  cause: 'The customer is stored in a variable that concurrent requests share.',
}

/** Returns the requirement of an effect of a change on its customer. */
export function ofEffect(change: Change, isAccepted: boolean, { part, expected, received }: Difference): Named {
  if (!isAccepted) return { requirement: 'STATE-2' }
  if (keepsProduct(change)) return { requirement: 'SWAP-6' }
  if (part === 'tax' || part === 'shipping') return { requirement: 'FRAME-2' }
  if (part === 'images') return { requirement: change.name === 'swapProduct' ? 'SWAP-12' : 'ITEM-4' }
  if (part === 'cancelled' && isSameList(expected, received)) return { requirement: 'CANCELLED-3' }
  if (part === 'cancelled')
    return { requirement: change.name === 'reactivateSubscription' ? 'REACTIVATE-1' : 'FRAME-1' }
  if (part === 'discount') return ofDiscount(change)
  const table = part === 'date' ? ofDate : ofLines
  if (change.name === 'addProduct' && part === 'lines' && change.input.one_time) return { requirement: 'ADD-3' }
  return { requirement: table[change.name] }
}

const ofLines: Readonly<Record<ChangeName, RequirementId>> = {
  addProduct: 'ADD-1',
  undoAddProduct: 'UNDO-2',
  swapProduct: 'SWAP-2',
  delaySubscription: 'DELAY-7',
  sendNow: 'ADD-5',
  reactivateSubscription: 'REACTIVATE-2',
  runCustomAction: 'FRAME-3',
}

const ofDate: Readonly<Record<ChangeName, RequirementId>> = {
  addProduct: 'FRAME-1',
  undoAddProduct: 'FRAME-1',
  swapProduct: 'FRAME-1',
  delaySubscription: 'DELAY-1',
  sendNow: 'SEND-2',
  reactivateSubscription: 'REACTIVATE-2',
  runCustomAction: 'FRAME-3',
}

function ofDiscount(change: Change): Named {
  if (change.name === 'undoAddProduct')
    return {
      requirement: 'UNDO-2',
      cause:
        'The undo releases the discount of another addition, or no discount. Store the discount with its addition.',
    }
  if (change.name === 'sendNow')
    return { requirement: 'ADD-10', cause: 'The discount of the order also applies to the following order.' }
  return { requirement: change.name === 'delaySubscription' ? 'DELAY-7' : 'FRAME-2' }
}

/** Returns the requirement of the discount of a change with a code. */
export function ofCode(name: ChangeName, kind: DiscountTerms['kind']): Named {
  if (kind === 'fixed_amount')
    return {
      requirement: name === 'reactivateSubscription' ? 'REACTIVATE-8' : 'ADD-11',
      cause:
        'The fixed amount is subtracted for each change, replaces other discounts, or is ignored. It counts once for an order.',
    }
  if (name === 'addProduct')
    return {
      requirement: 'ADD-10',
      cause:
        'The percentage is rounded down or calculated with floating-point numbers, or the discounts of several additions are combined incorrectly.',
    }
  return {
    requirement: name === 'swapProduct' ? 'SWAP-8' : 'REACTIVATE-6',
    cause: 'The code is ignored, or its percentage is calculated from other lines than the changed lines.',
  }
}

/** Returns the requirement of a repeat that takes effect. */
export function ofRepeat(form: Form): Named {
  return { requirement: form === 'bare' ? 'RETRY-1' : form === 'together' ? 'RETRY-4' : 'RETRY-5' }
}
