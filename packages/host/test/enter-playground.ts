/** Signs in to the playground of a host with its token; returns functions that send requests with the cookie. */
export async function enterPlayground({ url, playgroundUrl = '' }: { url: string; playgroundUrl: string | undefined }) {
  const opened = await fetch(playgroundUrl.replace('localhost', '127.0.0.1'))
  const headers = { Cookie: opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
  const get = (path: string) => fetch(url + path, { headers })
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { get, post }
}
