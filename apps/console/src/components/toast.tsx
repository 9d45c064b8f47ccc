import { X } from 'lucide-react';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { Text } from 'react-aria-components/Text';
import { strings } from '../strings';
import { Button } from './button';

const SHOWN_MS = 6_000;

const queue = new ToastQueue<{ text: string }>({ maxVisibleToasts: 3 });

/** Shows that something was done. */
export function toast(text: string): void {
  queue.add({ text }, { timeout: SHOWN_MS });
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast: shown }) => (
        <AriaToast toast={shown} className="toast">
          <ToastContent>
            <Text slot="title">{shown.content.text}</Text>
          </ToastContent>
          <Button slot="close" variant="quiet" isIcon aria-label={strings.actions.close}>
            <X size={16} aria-hidden />
          </Button>
        </AriaToast>
      )}
    </ToastRegion>
  );
}
