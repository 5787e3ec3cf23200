/** Returns a base URL without its trailing slashes; throws TypeError for one that cannot be one, without repeating it. */
export function parseBaseUrl(text: string): string {
  if (!URL.canParse(text)) throw new TypeError('baseUrl: must be an absolute URL such as https://shop.example/api')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('baseUrl: must start with http:// or https://')
  if (url.username !== '' || url.password !== '') throw new TypeError('baseUrl: must not hold a user name or password')
  if (/[?#]/.test(text)) throw new TypeError('baseUrl: must not hold a query or fragment')
  return url.origin + url.pathname.replace(/\/+$/, '')
}
