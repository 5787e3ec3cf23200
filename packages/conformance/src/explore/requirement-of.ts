import type { ErrorCode } from '@storeport/core'
import { isSameList } from '../engine/compare-views.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Difference } from './compare.ts'
import { type Change, codeOf, type ModelShop } from './model.ts'

/** The requirement of a difference, and its likely cause if the sequence shows more than the requirement. */
export interface Named {
  readonly requirement: RequirementId
  readonly cause?: string
}

/** Requirements of a change: of its success and its effects, of a change that must be rejected, and of its code. */
type Row = readonly [
  accepted: RequirementId,
  lines: RequirementId,
  date: RequirementId,
  invalid: RequirementId,
  percentage?: RequirementId,
  fixed?: RequirementId,
  invalidCode?: RequirementId,
]

const rows: Readonly<Record<Change['name'], Row>> = {
  addProduct: ['ADD-1', 'ADD-1', 'FRAME-1', 'ADD-8', 'ADD-10', 'ADD-11', 'ADD-13'],
  undoAddProduct: ['UNDO-1', 'UNDO-2', 'FRAME-1', 'UNDO-5'],
  swapProduct: ['SWAP-1', 'SWAP-2', 'FRAME-1', 'SWAP-3', 'SWAP-8', 'ADD-11', 'SWAP-9'],
  delaySubscription: ['DELAY-1', 'DELAY-7', 'DELAY-1', 'DELAY-3'],
  sendNow: ['SEND-1', 'ADD-5', 'SEND-2', 'SEND-3'],
  reactivateSubscription: [
    'REACTIVATE-1',
    'REACTIVATE-2',
    'REACTIVATE-2',
    'MODEL-1',
    'REACTIVATE-6',
    'REACTIVATE-8',
    'REACTIVATE-7',
  ],
}

/** Causes of a daily limit that applies too seldom or too often. */
const perCustomer = 'Store the date of the last order for each customer.'

/** Returns the requirement of a change that the shop rejects, although it must succeed. */
export function ofRejection(name: Change['name']): Named {
  const [requirement] = rows[name]
  return name === 'sendNow'
    ? { requirement, cause: `The daily limit applies to the whole shop. ${perCustomer}` }
    : { requirement }
}

/** Returns the requirement of a change that the shop accepts, although it must be rejected. */
export function ofAcceptance({ name }: Change, code: ErrorCode | undefined): Named {
  const [, , , invalid, , , invalidCode = 'ADD-13'] = rows[name]
  if (code === 'invalid_discount_code') return { requirement: invalidCode }
  if (name === 'sendNow') {
    const cause = `Another change of the customer ends the daily limit, or the limit applies to each subscription. ${perCustomer}`
    return { requirement: invalid, cause }
  }
  return { requirement: name === 'addProduct' && code === 'subscription_not_found' ? 'ADD-7' : invalid }
}

/** Returns the requirement of an effect of a change on its customer. */
export function ofEffect(
  change: Change,
  isAccepted: boolean,
  { part, expected, received }: Difference,
  { shop }: ModelShop,
): Named {
  const { name } = change
  const [, lines, date] = rows[name]
  if (!isAccepted) return { requirement: 'STATE-2' }
  switch (part) {
    case 'tax':
    case 'shipping':
      return { requirement: 'FRAME-2' }
    case 'images':
      return { requirement: name === 'swapProduct' ? 'SWAP-12' : 'ITEM-4' }
    case 'cancelled':
      if (isSameList(expected, received)) return { requirement: 'CANCELLED-3' }
      return { requirement: name === 'reactivateSubscription' ? 'REACTIVATE-1' : 'FRAME-1' }
    case 'discount':
      return ofDiscount(name, shop.discount(codeOf(change) ?? '')?.kind)
    case 'date':
      return { requirement: date }
    default: {
      const isOnce = name === 'addProduct' && change.input.one_time && part === 'lines'
      return { requirement: isOnce ? 'ADD-3' : lines }
    }
  }
}

/** Returns the requirement of the discount after a change, which can have a code of a kind. */
function ofDiscount(name: Change['name'], kind?: 'percentage' | 'fixed_amount'): Named {
  const [, , , , percentage = 'ADD-10', fixed = 'ADD-11'] = rows[name]
  if (kind === 'fixed_amount') {
    const cause =
      'The fixed amount is subtracted for each change, replaces other discounts, or is ignored. It counts once for an order.'
    return { requirement: fixed, cause }
  }
  if (kind === 'percentage') {
    const cause =
      name === 'addProduct'
        ? 'The percentage is rounded down or calculated with floating-point numbers, or the discounts of several additions are combined incorrectly.'
        : 'The code is ignored, or its percentage is calculated from other lines than the changed lines.'
    return { requirement: percentage, cause }
  }
  if (name === 'undoAddProduct') {
    const cause =
      'The undo releases the discount of another addition, or no discount. Store the discount with its addition.'
    return { requirement: 'UNDO-2', cause }
  }
  if (name === 'sendNow')
    return { requirement: 'ADD-10', cause: 'The discount of the order also applies to the following order.' }
  return { requirement: name === 'delaySubscription' ? 'DELAY-7' : 'FRAME-2' }
}
