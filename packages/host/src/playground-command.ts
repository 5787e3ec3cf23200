import { parseArgs } from 'node:util'
import { readProfile } from '@storeport/conformance'
import { errorAnswer, namesFor } from '@storeport/core'
import { type RunningServer, serve } from '@storeport/node'
import { createPlayground } from '@storeport/playground'
import { openSignIn } from './settings/secrets.ts'
import {
  makeFromSettings,
  readPlayground,
  readShopName,
  SettingsError,
  throwSettingsError,
} from './settings/settings.ts'

/** `storeport playground --url https://shop.example --key …`: shows any implementation as the customer sees it; the key stays in this process. */
export async function playgroundCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ url: string; playgroundUrl: string; close(): Promise<void> }> {
  const { url: baseUrl, key, vendor, currency, profile: file, port, host, data, shopName } = readFlags(args, env)
  const profile = file === undefined ? undefined : await readProfile(file).catch(throwProfileError)
  const { token, cookieName, address } = await openSignIn(data)
  let running: RunningServer | undefined
  const playground = makeFromSettings(() =>
    createPlayground({
      target: { baseUrl, apiKey: key, names: namesFor({ vendor }) },
      token,
      cookieName: () => cookieName(running?.port ?? port),
      profile,
      currency,
      shopName,
    }),
  )
  running = await serve(
    { owns: () => false, answer: async () => errorAnswer('endpoint_not_found') },
    {
      port,
      host,
      fallback: async (req, res) => {
        if (await playground(req, res)) return
        const { status, headers, body } = errorAnswer('endpoint_not_found')
        res.writeHead(status, headers).end(body)
      },
    },
  ).catch(throwSettingsError)
  return { url: running.url, playgroundUrl: address(running.url), close: running.close }
}

function readFlags(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const text = { type: 'string' } as const
  const { values } = makeFromSettings(() =>
    parseArgs({
      args: [...args],
      options: {
        url: text,
        key: text,
        vendor: text,
        currency: text,
        profile: text,
        port: text,
        host: text,
        data: text,
        playground: text,
        'shop-name': text,
      },
    }),
  )
  const { url = env['STOREPORT_URL'], key = env['STOREPORT_API_KEY'], vendor, profile } = values
  const currency = (values.currency ?? env['STOREPORT_CURRENCY']) || undefined
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new SettingsError('playground: say which shop with --url https://shop.example, or in STOREPORT_URL')
  }
  if (key === undefined || key === '') {
    throw new SettingsError('playground: give the API key with --key or in STOREPORT_API_KEY')
  }
  const port = Number(values.port ?? env['PORT'] ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SettingsError('PORT: must be a whole number from 0 to 65535')
  const host = (values.host ?? env['HOST']) || '127.0.0.1'
  if (!readPlayground((values.playground ?? env['STOREPORT_PLAYGROUND']) || undefined, host, env['NODE_ENV'])) {
    throw new SettingsError(
      'playground: is for this machine, outside production: leave HOST and NODE_ENV alone, or set STOREPORT_PLAYGROUND=on to let in whoever has its token',
    )
  }
  const shopName = readShopName(values['shop-name'] ?? env['STOREPORT_SHOP_NAME'])
  const data = (values.data ?? env['STOREPORT_DATA']) || '.storeport'
  return { url: url.replace(/\/+$/, ''), key, vendor, currency, profile, port, host, data, shopName }
}

function throwProfileError(error: unknown): never {
  if (error instanceof TypeError) throw new SettingsError(`playground: --profile: ${error.message}`)
  throw error
}
