import type { FormEvent, ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { strings } from '../strings';
import { Button } from './button';
import { ErrorCallout } from './error-callout';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Whether it stays open when a person clicks beside it, such as with a secret that is shown once. */
  isPersistent?: boolean;
  children: ReactNode;
}

/** A modal dialog. Escape closes it, and the focus returns to what opened it. */
export function Dialog({ title, isOpen, onClose, isPersistent = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!isPersistent}
      isKeyboardDismissDisabled={isPersistent}
    >
      <Modal className="dialog-frame">
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface FormDialogProps extends DialogProps {
  submitLabel: string;
  isPending: boolean;
  error: unknown;
  onSubmit: () => void;
  /** Whether the action deletes something. */
  isDangerous?: boolean;
}

/** A dialog whose form starts one action. Enter submits it. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, isPending, error, onSubmit, isDangerous = false, children, ...dialog } = props;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending) onSubmit();
  };
  return (
    <Dialog {...dialog}>
      <form className="stack" onSubmit={submit} noValidate>
        {children}
        <ErrorCallout error={error} />
        <div className="dialog-actions">
          <Button onPress={dialog.onClose}>{strings.actions.cancel}</Button>
          <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} isPending={isPending}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
