// Profiles of invented companies and people, for engines that search these as separate categories.
import type { SourcePage } from './page.ts';

export const profiles: SourcePage[] = [
  {
    url: 'https://registry.example/companies/brightwater-systems',
    title: 'Brightwater Systems: company profile',
    published: '2026-09-09',
    language: 'en',
    country: 'IL',
    topics: ['water', 'software'],
    kind: 'company',
    links: ['https://clearwater.example/networks/acoustic-leaks'],
    body: `
Brightwater Systems sells sensors and software that find leaks in water networks. Its customers
are towns and utilities in 19 countries, most of them with fewer than 200,000 inhabitants.

## Key facts

| | |
|---|---|
| Founded | 2015 |
| Headquarters | Haifa |
| Employees | 240 |
| Chief executive | Noa Peled |
| Revenue 2025 | 38 million dollars |
| Profit 2025 | 2.9 million dollars |

## Business

Hardware is rented. A town pays for every confirmed leak, on average 310 dollars, with a yearly
maximum. The model makes the first year cheap and puts the risk of poor results on the company,
which has lost money on three of 160 contracts.

## Competition and risks

Two large meter makers offer similar products at no extra charge along with new meters.
Brightwater answers with an open data format. A dependence on one maker of microphones, disclosed
in 2024, has been reduced to 55 percent of supply.

## Recent events

In June the company bought a Polish maker of pressure valves for 11 million dollars and announced
an office in Wrocław.`,
  },
  {
    url: 'https://registry.example/companies/loft-and-lane',
    title: 'Loft & Lane: company profile',
    published: '2025-06-17',
    language: 'en',
    country: 'US',
    topics: ['cities', 'finance'],
    kind: 'company',
    links: ['https://cityworks.example/housing/office-to-homes'],
    body: `
Loft & Lane converts empty office buildings into rental homes in mid-sized American cities. It has
finished 14 buildings with 1,630 homes since 2017 and has nine more under construction.

## Key facts

| | |
|---|---|
| Founded | 2016 |
| Headquarters | Pittsburgh, Pennsylvania |
| Employees | 115 |
| Chief executive | Marcus Bell |
| Homes completed | 1,630 |
| Average cost per home | 291,000 dollars |

## Method

The company buys only buildings from before 1955 with windows on at least three sides. It rejects
nineteen of twenty that it looks at. Its own plumbing crews travel from city to city, which it
calls the true secret of the business.

## Finance

Projects are paid for by a pension fund and two insurance companies, with tax relief for historic
buildings covering about 18 percent. The company keeps a tenth of each building. Vacancy stood at
3.8 percent at the end of 2024.

## Criticism

Tenants' groups note that rents rise by 5 percent a year after an initial period of three years.
The company points to a fifth of its homes, whose rents are fixed to local wages.`,
  },
  {
    url: 'https://registry.example/companies/farsight-orbital',
    title: 'Farsight Orbital: company profile',
    published: '2026-03-31',
    language: 'en',
    country: 'NL',
    topics: ['space', 'climate'],
    kind: 'company',
    links: ['https://orbitdesk.example/earth-observation/methane-satellites'],
    body: `
Farsight Orbital operates six small satellites that measure methane and nitrogen dioxide. It sells
data to oil and gas companies, to insurers and to governments, and gives it free of charge to
universities.

## Key facts

| | |
|---|---|
| Founded | 2019 |
| Headquarters | Delft |
| Employees | 88 |
| Chief executive | Annelies de Wit |
| Satellites in orbit | 6 |
| Revenue 2025 | 17 million euros |

## Product

Customers draw an area and receive an image and an estimate of emissions within eight hours of
each pass. The detection limit is about 120 kilograms of methane an hour over dry ground. Every
product carries an uncertainty, and the method is published.

## Contracts

The largest customer is a European agency with a contract of 31 million euros until 2029. No other
customer exceeds 8 percent of revenue.

## Outlook

Four further satellites are to be launched in 2027. They carry a second instrument for carbon
dioxide from single power plants. The company expects its first yearly profit in 2028.`,
  },
  {
    url: 'https://people.example/noor-siddiqui',
    title: 'Noor Siddiqui, physician and sleep researcher',
    published: '2026-08-20',
    language: 'en',
    country: 'GB',
    topics: ['health'],
    kind: 'person',
    links: [
      'https://bedside.example/sleep/shift-work',
      'https://papers.meridian.example/2026/ward-noise-recovery',
    ],
    body: `
Noor Siddiqui is a physician who studies how hospitals and workplaces disturb sleep. She leads the
night medicine group at a teaching hospital in Leeds and writes for the general public.

## Career

She trained in Lahore and Leeds and worked as a ward doctor for nine years, six of them mostly at
night. That experience, she says, was the beginning of her research. Her doctorate of 2016
measured noise in 88 hospital rooms with recorders hidden in flower vases.

## Work

Her best-known study is a trial in 42 wards which showed that quieter nights shorten hospital
stays. Before that she had found that routine measurements at two in the morning change treatment
in only one of 140 cases. Fourteen hospitals have dropped the practice.

## Public role

Siddiqui advises two transport unions on rosters and has served on a national committee on shift
work since 2022. She declines money from makers of sleeping pills and mattresses and publishes her
fees.

## Personal

She sings alto in a choir that rehearses, as she likes to point out, at a reasonable hour.`,
  },
  {
    url: 'https://people.example/adaeze-nwosu',
    title: 'Adaeze Nwosu, software engineer and writer on payments',
    published: '2025-03-04',
    language: 'en',
    country: 'NG',
    topics: ['software', 'finance'],
    kind: 'person',
    links: [
      'https://blog.devpress.example/apis/idempotency-keys',
      'https://devpress.example/guides/postgres-queues',
    ],
    body: `
Adaeze Nwosu is a software engineer from Enugu who works on payment systems. Developers know her
for essays in which every claim comes with an experiment that the reader can repeat.

## Career

She studied electrical engineering at Nsukka and wrote billing software for two telephone
companies. In 2017 she joined a Lagos payment company as its ninth engineer. She led the team that
moved it from nightly batches to immediate settlement, and left in 2023 to teach and consult.

## Writing

Her guide to job queues in PostgreSQL has been translated into eleven languages. Her series on
failure in payments, later a book of 210 pages, describes 31 real incidents with the permission of
those involved.

## Principles

"Write down what you are about to do, then do it," is how she sums up her trade. She argues
against clever retry schemes and in favour of asking the other side what happened.

## Teaching

Each year she takes twelve apprentices for four months. The course is free, paid for by her
consulting clients, and three quarters of its graduates work within Nigeria.`,
  },
  {
    url: 'https://people.example/mele-tupou',
    title: 'Mele Tupou, marine biologist',
    published: '2024-07-25',
    language: 'en',
    country: 'AU',
    topics: ['oceans', 'climate'],
    kind: 'person',
    links: ['https://oceanwatch.example/reefs/coral-nursery-results'],
    body: `
Mele Tupou is a marine biologist who works on the survival of transplanted corals and on noise in
the sea. She was born in Tonga and lives in Townsville.

## Career

Tupou learned to dive from her grandfather, a spear fisherman, and studied biology in Auckland and
Queensland. Since 2014 she has coordinated one of the longest-running coral planting programmes,
with some 900 volunteers in five countries.

## Research

She showed that fragments from colonies that survive a heatwave pass on some of their tolerance.
The finding changed how nurseries choose their stock. She is equally known for her honesty about
failure: the programme publishes every dead fragment with its position and depth.

## Positions

She warns against treating restoration as a substitute for lower emissions. "We are keeping seeds
in a burning house," she said in a radio lecture that has been broadcast in 26 countries.

## Awards

The Pacific Science Prize in 2020 and an honorary doctorate in 2023. She gave the prize money,
50,000 dollars, to buy boats for village monitoring groups.`,
  },
  {
    url: 'https://people.example/agathe-renaud',
    title: 'Agathe Renaud, railway journalist',
    language: 'en',
    country: 'FR',
    topics: ['transport'],
    kind: 'person',
    links: ['https://railtimes.example/night-trains/second-spring'],
    body: `
Agathe Renaud reports on European railways and, more recently, on water networks. She has
travelled on every international night train in Europe and keeps a public log of delays, currently
61,000 minutes long.

## Career

Renaud began as a timetable planner in Lyon. She left after seven years because, she says, she
wanted to know what happened to her trains after they were printed. Her first series followed one
freight wagon for six weeks from a Spanish paper mill to a Swedish printer.

## Reporting

Her work on signalling projects led to two parliamentary inquiries. She reads contracts, asks for
maintenance records and publishes both. A correction is added on the same page within a day, with
the name of the reader who found the error.

## Method

She does not accept free travel. Every article lists its tickets and what they cost. Her guide to
complaint forms in nine languages is used by passenger associations.

## Life

She lives in Vienna beside a marshalling yard and claims to sleep badly when it is quiet.`,
  },
];
