import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { strings } from '../strings';
import { Button } from './button';

const SHOWN_MS = 2_000;

/** A value with a button that copies it. `isBlock` keeps the lines of code. */
export function CopyField({ value, label, isBlock = false }: { value: string; label: string; isBlock?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <div className="copy" role="group" aria-label={label}>
      {isBlock ? <pre tabIndex={0}>{value}</pre> : <code>{value}</code>}
      <Button
        variant="quiet"
        isIcon
        onPress={() => void copy()}
        aria-label={isCopied ? strings.actions.copied : `${strings.actions.copy}: ${label}`}
      >
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? strings.actions.copied : ''}
      </span>
    </div>
  );
}
