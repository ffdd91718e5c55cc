// The command menu: finds pages, saved views, actions, keys, accounts, people, requests and jobs, and
// goes there. A combobox in a dialog, whose list follows the text.
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Icon } from '../components/icon.tsx';
import { useCommands } from './command-list.ts';
import type { Command } from './command-list.ts';

interface CommandMenuProps {
  onClose: () => void;
  onHelp: () => void;
}

export function CommandMenu({ onClose, onHelp }: CommandMenuProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState('');
  /** The first, unless another was chosen. By id, because later results come between the others. */
  const [chosen, setChosen] = useState<string>();
  const { groups, searching } = useCommands(text, onHelp);
  const commands = groups.flatMap(([, own]) => own);
  const at = Math.max(
    0,
    commands.findIndex(({ id }) => id === chosen),
  );
  const optionId = (place: number) => `${listId}-${place}`;
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, at]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    dialog.current?.close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const count = commands.length;
    const moves: Readonly<Record<string, number | undefined>> = {
      ArrowDown: (at + 1) % count,
      ArrowUp: (at + count - 1) % count,
    };
    const to = moves[event.key];
    if (event.key !== 'Enter' && to === undefined) return;
    event.preventDefault();
    if (to === undefined) run(commands[at]);
    else setChosen(commands[to]?.id);
  };
  return (
    <dialog
      ref={dialog}
      className="commands"
      aria-label="Search and commands"
      onClose={onClose}
      closedby="any"
    >
      <div className="commands-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search and commands"
          aria-autocomplete="list"
          aria-expanded={commands.length > 0}
          aria-controls={listId}
          aria-activedescendant={commands.length > 0 ? optionId(at) : undefined}
          placeholder="A page, a name, an id or an action"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(undefined);
          }}
        />
        <button type="button" className="icon-button" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
          <span className="hidden-text">Close</span>
        </button>
      </div>
      <div id={listId} role="listbox" aria-label="Results" hidden={commands.length === 0}>
        {groups.map(([title, own]) => (
          <div key={title} role="group" aria-labelledby={`${listId}-${title}`}>
            <div id={`${listId}-${title}`} className="commands-title">
              {title}
            </div>
            {own.map((command) => {
              const place = commands.indexOf(command);
              return (
                <button
                  key={command.id}
                  type="button"
                  tabIndex={-1}
                  id={optionId(place)}
                  role="option"
                  aria-selected={place === at}
                  onClick={() => run(command)}
                >
                  <Icon name={command.icon} />
                  <span>{command.name}</span>
                  {command.hint === undefined ? null : <span className="hint">{command.hint}</span>}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      <p className="commands-end" role="status">
        {commands.length > 0
          ? `${commands.length} ${commands.length === 1 ? 'result' : 'results'}`
          : searching
            ? 'Searching…'
            : 'Nothing found. An id must be whole, and of an account that you may see.'}
      </p>
    </dialog>
  );
}
