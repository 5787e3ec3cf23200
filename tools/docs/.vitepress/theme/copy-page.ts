import { useData, withBase } from 'vitepress'
import { defineComponent, h, ref } from 'vue'

/** A button that copies the Markdown of the page, for example for an assistant. */
export const CopyPage = defineComponent({
  setup() {
    const { page } = useData()
    const label = ref('Copy page')
    async function copy(): Promise<void> {
      try {
        const response = await fetch(withBase(`/${page.value.relativePath}`))
        if (!response.ok) throw new Error(`The page returned ${response.status}.`)
        await navigator.clipboard.writeText(await response.text())
        label.value = 'Copied as Markdown'
      } catch {
        label.value = 'Not copied'
      }
    }
    return () => h('button', { type: 'button', class: 'copy-page', onClick: copy }, label.value)
  },
})
