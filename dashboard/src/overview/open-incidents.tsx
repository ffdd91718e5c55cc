// Open incidents, above the overview. Shows nothing when there are none.
import { useState } from 'react';
import type { Incident } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { useDialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { addressOf, sentenceOf } from '../incidents/incident-words.ts';
import { Note, NoteForm } from '../incidents/incident-note.tsx';
import { useOpenIncidents } from '../incidents/use-incidents.ts';
import { useLiveRefresh } from '../shell/live.tsx';
import { Link } from '../shell/router.tsx';
import { ForChanges, useSession } from '../shell/session.tsx';

/** On a phone they are folded into their number. */
const isNarrow = () => matchMedia('(max-width: 520px)').matches;

export function OpenIncidents() {
  const open = useOpenIncidents();
  useLiveRefresh(open.refresh);
  const [showsMuted, showMuted] = useState(false);
  const [isFolded] = useState(isNarrow);
  const all = open.data?.incidents ?? [];
  const muted = all.filter((one) => one.muted);
  const shown = all.filter((one) => !one.muted);
  if (all.length === 0) return null;
  return (
    <section className="incidents" aria-label="Open incidents">
      {shown.length === 0 ? null : (
        <details open={!isFolded}>
          <summary className={shown.some(({ severe }) => severe) ? 'bad' : undefined}>
            {shown.length === 1 ? '1 open incident' : `${shown.length} open incidents`}
          </summary>
          <IncidentStrip incidents={shown} />
        </details>
      )}
      <div className="row">
        {muted.length === 0 ? null : (
          <Button kind="plain" onPress={() => showMuted(!showsMuted)}>
            {`${showsMuted ? 'Hide' : 'Show'} ${muted.length} muted`}
          </Button>
        )}
        <Link to="/incidents" className="small">
          All incidents
        </Link>
      </div>
      {showsMuted ? <IncidentStrip incidents={muted} /> : null}
    </section>
  );
}

function IncidentStrip({ incidents }: { incidents: readonly Incident[] }) {
  const { account } = useSession();
  const { open, setOpen, close } = useDialog<Incident>();
  const mute = useAction(({ id, muted }: Incident) =>
    admin.incidents.update(id, account.id, { muted: !muted }),
  );
  return (
    <>
      <ErrorNote error={mute.error} />
      <ul>
        {incidents.map((one) => (
          <li key={one.id} className={one.severe ? 'bad' : 'warn'}>
            <Icon name="warning" />
            <span>
              <Link to={addressOf(one)}>{sentenceOf(one)}</Link> <Note of={one} />
            </span>
            {one.started_at === null ? null : (
              <ForChanges>
                <span className="row">
                  <Button
                    kind="plain"
                    label={`${one.muted ? 'Unmute' : 'Mute'}: ${one.message}`}
                    disabled={mute.busy}
                    onPress={() => mute.run(one)}
                  >
                    {one.muted ? 'Unmute' : 'Mute'}
                  </Button>
                  <Button kind="plain" label={`Note: ${one.message}`} onPress={() => setOpen(one)}>
                    Note
                  </Button>
                </span>
              </ForChanges>
            )}
          </li>
        ))}
      </ul>
      {open ? <NoteForm of={open} onClose={close} /> : null}
    </>
  );
}
