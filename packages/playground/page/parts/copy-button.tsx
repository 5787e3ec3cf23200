import { useState } from 'react'
import { texts } from '../texts.ts'

/** Copies a text; where the browser does not let it, says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<string | null>(null)

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setSaid(texts.copied)
    } catch {
      setSaid(texts.copyFailed)
    }
  }
  return (
    <button type="button" className="small-button" onClick={() => void copy()} onBlur={() => setSaid(null)}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}
