/** Nothing can be checked: the shop cannot be reached, refuses the key, or there is no such API at the address; the message says what to check. */
export class ShopError extends Error {
  override readonly name = 'ShopError'
}
