// A field that searches a list, kept in the URL like the filters.
import { useState } from 'react';
import { useLocation } from '../shell/router.tsx';
import { setFilters } from './filters.tsx';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  name: string;
  label: string;
  placeholder: string;
}

export function SearchField(props: SearchFieldProps) {
  const kept = useLocation().query.get(props.name) ?? '';
  // The key resets the text when the address changes, for example after Back.
  return <Field key={kept} kept={kept} {...props} />;
}

function Field({ name, label, placeholder, kept }: SearchFieldProps & { kept: string }) {
  const [text, setText] = useState(kept);
  return (
    <form
      className="search-field"
      onSubmit={(event) => {
        event.preventDefault();
        setFilters({ [name]: text.trim() });
      }}
    >
      <Icon name="search" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={placeholder}
        maxLength={500}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value === '' && kept !== '') setFilters({ [name]: undefined });
        }}
      />
    </form>
  );
}
