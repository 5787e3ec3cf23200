import { computed, defineComponent, h, ref } from 'vue'
import type { PageRequest } from '../adapt-markdown.ts'
import type { PageShop, SentRequest } from './page-shop.ts'

/** The shop in the page. All examples of a visit use the same shop, so that changes are visible in later requests. */
let opened: Promise<PageShop> | undefined
const log = ref<readonly SentRequest[]>([])

async function openShop(): Promise<PageShop> {
  const { createPageShop } = await import('./page-shop.ts')
  return createPageShop()
}

/** Adds a Run button to an example request. The request is sent to a shop in the page, not to a server. */
export const RunRequest = defineComponent({
  props: { request: { type: String, required: true } },
  setup(props, { slots }) {
    const example: PageRequest = JSON.parse(props.request)
    const text = ref(writeRequest(example))
    const response = ref('')
    const isOpen = ref(false)
    const rows = computed(() => text.value.split('\n').length + 1)

    async function run(): Promise<void> {
      isOpen.value = true
      const shop = await (opened ??= openShop())
      response.value = await shop.send(readRequest(text.value))
      log.value = shop.log()
    }
    async function reset(): Promise<void> {
      opened = openShop()
      text.value = writeRequest(example)
      response.value = ''
      log.value = (await opened).log()
    }

    return () =>
      h('div', { class: 'run-request' }, [
        slots['default']?.(),
        isOpen.value &&
          h('textarea', {
            'aria-label': 'Request to run',
            rows: rows.value,
            spellcheck: false,
            value: text.value,
            onInput: (event: Event) => {
              if (event.target instanceof HTMLTextAreaElement) text.value = event.target.value
            },
          }),
        h('button', { type: 'button', onClick: run }, isOpen.value ? 'Run again' : 'Run'),
        isOpen.value && h('button', { type: 'button', onClick: reset }, 'Reset the shop'),
        isOpen.value && h('pre', { 'aria-live': 'polite', tabindex: 0 }, response.value),
        isOpen.value &&
          h('details', { open: true }, [h('summary', `Requests to this shop: ${log.value.length}`), listOf(log.value)]),
      ])
  },
})

function listOf(entries: readonly SentRequest[]) {
  return h(
    'ol',
    entries.map(({ line, status, methodCalls }) =>
      h('li', `${line} → ${status}, ${methodCalls === 0 ? 'the store method did not run' : 'the store method ran'}`),
    ),
  )
}

/** Returns a request as editable text: method and path on the first line, the body below. */
function writeRequest({ method, path, body }: PageRequest): string {
  return body === '' ? `${method} ${path}` : `${method} ${path}\n${body}`
}

function readRequest(text: string): PageRequest {
  const [first = '', ...rest] = text.trim().split('\n')
  const [method = 'GET', path = '/'] = first.split(' ')
  return { method, path, body: rest.join('\n') }
}
