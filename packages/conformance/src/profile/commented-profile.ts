/** What `--init` writes: the profile of the reference host's test data, each field with what it is for. */
export const commentedProfile = `// Which test data your shop has: the checks use it, and change what these customers have.
// Put your own values in place of these, and leave out what you do not have: then the checks that need it are skipped.
// Use it with: storeport-conformance https://shop.example --profile FILE
{
  "customers": {
    // Nobody has this address.
    "unknown": "nobody.at.all@example.com",
    // A customer without any subscription, active or cancelled, and without recommendations.
    "empty": "test@example.com",
    // A customer with two active subscriptions; the one that is billed first must lack one of the listed products.
    "subscribed": "subscription@example.com",
    // A customer whose subscriptions are all cancelled; some can be reactivated.
    "cancelled": "cancelled@example.com",
    // Another customer, with one active subscription and a cancelled one that can be reactivated: nobody else may reach them.
    "neighbour": "another@example.com"
  },
  "products": {
    // The start of the list that everybody gets, in its order. Prices are those of one unit: 19.95 is 19.95 of your currency.
    "listed": [
      { "id": "test_12345", "price": 19.95 },
      { "id": "test_67890", "price": 29.95, "compare_at_price": 39.95 },
      { "id": "test_54321", "price": 49.95 }
    ],
    // A product that is sold out.
    "unavailable": "test_00000",
    // No product has this id.
    "unknown": "no-such-product"
  },
  // The products that are recommended to customers.subscribed, best first, whether or not they have them already.
  "recommended": ["test_54321", "test_12345", "test_67890"],
  "subscriptions": {
    // The cancelled ones of customers.cancelled that can be reactivated, most recently cancelled first.
    "cancelled": ["sub_2003", "sub_2002"],
    // One of customers.cancelled that was cancelled too long ago.
    "tooOld": "sub_2001",
    // An active one of customers.subscribed.
    "active": "sub_1001",
    // No subscription has this id.
    "unknown": "no-such-subscription"
  },
  // How often the subscription of customers.neighbour is billed: months, weeks, or both.
  "interval": { "months": 1 },
  "discounts": {
    // A percentage: 10 means 10 %.
    "percentage": {
      "code": "TEST10",
      "discount": { "discount_type": "percentage", "discount_percentage": 10 }
    },
    // A fixed amount of your currency.
    "fixed": {
      "code": "FIVEOFF",
      "discount": { "discount_type": "fixed_amount", "discount_amount": 5 }
    },
    // A code that has expired.
    "expired": "EXPIRED5",
    // No discount has this code.
    "unknown": "NO-SUCH-CODE"
  },
  "actions": {
    // An action that may be run as often as one likes.
    "known": "join_waitlist_product_123",
    // No action has this id.
    "unknown": "no-such-action"
  },
  // Further calls that your shop refuses, and the code that must come back, such as a customer whose payment fails.
  "refusals": [
    {
      "call": "addProduct",
      "input": { "email": "subscription@example.com", "product_id": "test_00000" },
      "code": "product_unavailable"
    },
    {
      "call": "reactivateSubscription",
      "input": { "email": "cancelled@example.com", "subscription_id": "sub_2001" },
      "code": "subscription_not_eligible"
    },
    { "call": "getDiscount", "input": { "discount_code": "EXPIRED5" }, "code": "discount_not_found" }
  ],
  // Most units that one line may hold.
  "maxQuantity": 1000,
  // The time zone that decides what "today" is in your shop, such as "Europe/Paris".
  "timeZone": "UTC"
  // Only where the date of the shop stands still: "today": "2026-11-20"
}
`
