import { useMutation } from '@tanstack/react-query';
import type { KeyRecord } from '@heliograph/sdk';
import { useState } from 'react';
import { client } from '../../app/client';
import { queryClient } from '../../app/queries';
import { FormDialog } from '../../components/dialog';
import { Select } from '../../components/select';
import { strings } from '../../strings';
import { keysQuery } from './key-queries';

const texts = strings.keys.rotate;

type Overlap = keyof typeof texts.overlaps;

const SECONDS: Readonly<Record<Overlap, number>> = {
  none: 0,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const OVERLAPS = (Object.keys(SECONDS) as Overlap[]).map((overlap) => ({
  value: overlap,
  label: texts.overlaps[overlap],
}));

/** Replaces the secret of a key. */
export function RotateKeyDialog(props: {
  apiKey: KeyRecord;
  onClose: () => void;
  onRotated: (secret: string) => void;
}) {
  const { apiKey, onClose, onRotated } = props;
  const [overlap, setOverlap] = useState<Overlap>('day');
  const rotate = useMutation({
    mutationFn: () => client.organization.apiKeys.rotate(apiKey.id, { overlapSeconds: SECONDS[overlap] }),
    onSuccess: async ({ key }) => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      onRotated(key);
    },
  });
  return (
    <FormDialog
      title={texts.title(apiKey.name)}
      isOpen
      onClose={onClose}
      submitLabel={texts.submit}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate()}
    >
      <p>{texts.text}</p>
      <Select label={texts.overlap} options={OVERLAPS} value={overlap} onChange={setOverlap} />
    </FormDialog>
  );
}
