import { Button } from '../../components/button';
import { Callout } from '../../components/callout';
import { CopyField } from '../../components/copy-field';
import { Dialog } from '../../components/dialog';
import { strings } from '../../strings';
import { firstCall } from './first-call';

const texts = strings.keys.secret;

/** Shows a new secret. Only its button closes it, because the secret cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} isPersistent>
      <Callout tone="warning">{texts.text}</Callout>
      <CopyField value={secret} label={texts.label} />
      <h3>{texts.test}</h3>
      <CopyField value={firstCall(secret)} label={texts.test} isBlock />
      <div className="dialog-actions">
        <Button variant="primary" onPress={onClose}>
          {strings.actions.done}
        </Button>
      </div>
    </Dialog>
  );
}
