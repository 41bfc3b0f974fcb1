const words = (text: string): string[] => text.trim().split(/\s+/);

/** The names of the IANA time zone database (2025c) that `Intl.supportedValuesOf('timeZone')` leaves out: links and old zones. */
const links = words(`
  Africa/Asmara Africa/Timbuktu America/Argentina/Buenos_Aires America/Argentina/Catamarca
  America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/Mendoza
  America/Atikokan America/Atka America/Ensenada America/Fort_Wayne America/Indiana/Indianapolis
  America/Kentucky/Louisville America/Knox_IN America/Montreal America/Nipigon America/Nuuk America/Pangnirtung
  America/Porto_Acre America/Rainy_River America/Rosario America/Santa_Isabel America/Shiprock America/Thunder_Bay
  America/Virgin America/Yellowknife Antarctica/South_Pole Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing
  Asia/Chungking Asia/Dacca Asia/Harbin Asia/Ho_Chi_Minh Asia/Istanbul Asia/Kashgar Asia/Kathmandu Asia/Kolkata
  Asia/Macao Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator Asia/Yangon Atlantic/Faroe
  Atlantic/Jan_Mayen Australia/ACT Australia/Canberra Australia/Currie Australia/LHI Australia/NSW Australia/North
  Australia/Queensland Australia/South Australia/Tasmania Australia/Victoria Australia/West Australia/Yancowinna
  Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West CET CST6CDT Canada/Atlantic Canada/Central Canada/Eastern
  Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan Canada/Yukon Chile/Continental
  Chile/EasterIsland Cuba EET EST EST5EDT Egypt Eire Etc/GMT Etc/GMT+0 Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12
  Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-0 Etc/GMT-1 Etc/GMT-10
  Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7 Etc/GMT-8
  Etc/GMT-9 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu Europe/Belfast Europe/Kyiv Europe/Nicosia
  Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland
  Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT Mexico/BajaNorte Mexico/BajaSur Mexico/General NZ NZ-CHAT
  Navajo PRC PST8PDT Pacific/Chuuk Pacific/Johnston Pacific/Kanton Pacific/Pohnpei Pacific/Samoa Pacific/Yap Poland
  Portugal ROC ROK Singapore Turkey UCT US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana US/Eastern
  US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa UTC Universal W-SU WET Zulu
`);

/** Every name of a time zone. */
export const zoneNames: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), ...links]);

/** The locale in which the platform (ICU 78) has abbreviations such as CEST for a zone; for most zones none has. */
const abbreviating = {
  'en-US': `
    Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown
    Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu America/Adak America/Anchorage
    America/Anguilla America/Antigua America/Aruba America/Atikokan America/Atka America/Bahia_Banderas
    America/Barbados America/Belize America/Blanc-Sablon America/Boise America/Cambridge_Bay America/Cancun
    America/Cayman America/Chicago America/Chihuahua America/Ciudad_Juarez America/Coral_Harbour America/Costa_Rica
    America/Creston America/Curacao America/Danmarkshavn America/Dawson America/Dawson_Creek America/Denver
    America/Detroit America/Dominica America/Edmonton America/El_Salvador America/Ensenada America/Fort_Nelson
    America/Fort_Wayne America/Glace_Bay America/Goose_Bay America/Grand_Turk America/Grenada America/Guadeloupe
    America/Guatemala America/Halifax America/Indiana/Indianapolis America/Indiana/Knox America/Indiana/Marengo
    America/Indiana/Petersburg America/Indiana/Tell_City America/Indiana/Vevay America/Indiana/Vincennes
    America/Indiana/Winamac America/Indianapolis America/Inuvik America/Iqaluit America/Jamaica America/Juneau
    America/Kentucky/Louisville America/Kentucky/Monticello America/Knox_IN America/Kralendijk America/Los_Angeles
    America/Louisville America/Lower_Princes America/Managua America/Marigot America/Martinique America/Matamoros
    America/Menominee America/Merida America/Metlakatla America/Mexico_City America/Miquelon America/Moncton
    America/Monterrey America/Montreal America/Montserrat America/Nassau America/New_York America/Nipigon
    America/Nome America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem
    America/Ojinaga America/Panama America/Pangnirtung America/Phoenix America/Port-au-Prince America/Port_of_Spain
    America/Puerto_Rico America/Rainy_River America/Rankin_Inlet America/Regina America/Resolute America/Santa_Isabel
    America/Santo_Domingo America/Shiprock America/Sitka America/St_Barthelemy America/St_Kitts America/St_Lucia
    America/St_Thomas America/St_Vincent America/Swift_Current America/Tegucigalpa America/Thule America/Thunder_Bay
    America/Tijuana America/Toronto America/Tortola America/Vancouver America/Virgin America/Whitehorse
    America/Winnipeg America/Yakutat America/Yellowknife Antarctica/Troll Atlantic/Bermuda Atlantic/Reykjavik
    Atlantic/St_Helena CST6CDT Canada/Atlantic Canada/Central Canada/Eastern Canada/Mountain Canada/Pacific
    Canada/Saskatchewan Canada/Yukon EST EST5EDT Eire Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich Etc/UCT
    Etc/UTC Etc/Universal Etc/Zulu Europe/Dublin Europe/Guernsey Europe/Isle_of_Man Europe/Jersey GMT GMT+0 GMT-0
    GMT0 Greenwich HST Iceland Jamaica MST MST7MDT Mexico/BajaNorte Mexico/General Navajo PST8PDT Pacific/Honolulu
    Pacific/Johnston UCT US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana US/Eastern US/Hawaii
    US/Indiana-Starke US/Michigan US/Mountain US/Pacific UTC Universal Zulu
  `,
  'en-GB': `
    Africa/Algiers Africa/Cairo Africa/Casablanca Africa/Ceuta Africa/El_Aaiun Africa/Tripoli Africa/Tunis
    Arctic/Longyearbyen Asia/Amman Asia/Bahrain Asia/Beirut Asia/Damascus Asia/Dubai Asia/Famagusta Asia/Gaza
    Asia/Hebron Asia/Istanbul Asia/Muscat Asia/Nicosia Asia/Qatar Atlantic/Azores Atlantic/Canary Atlantic/Faeroe
    Atlantic/Faroe Atlantic/Jan_Mayen Atlantic/Madeira CET EET Egypt Europe/Amsterdam Europe/Andorra Europe/Athens
    Europe/Belfast Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Bucharest Europe/Budapest
    Europe/Busingen Europe/Chisinau Europe/Copenhagen Europe/Gibraltar Europe/Helsinki Europe/Istanbul
    Europe/Kaliningrad Europe/Kiev Europe/Kyiv Europe/Lisbon Europe/Ljubljana Europe/London Europe/Luxembourg
    Europe/Madrid Europe/Malta Europe/Mariehamn Europe/Minsk Europe/Monaco Europe/Moscow Europe/Nicosia Europe/Oslo
    Europe/Paris Europe/Podgorica Europe/Prague Europe/Riga Europe/Rome Europe/Samara Europe/San_Marino
    Europe/Sarajevo Europe/Simferopol Europe/Skopje Europe/Sofia Europe/Stockholm Europe/Tallinn Europe/Tirane
    Europe/Tiraspol Europe/Uzhgorod Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Vilnius Europe/Warsaw
    Europe/Zagreb Europe/Zaporozhye Europe/Zurich GB GB-Eire Libya MET Poland Portugal Turkey W-SU WET
  `,
  'en-AU': `
    Antarctica/Casey Antarctica/Macquarie Antarctica/McMurdo Antarctica/South_Pole Australia/ACT Australia/Adelaide
    Australia/Brisbane Australia/Broken_Hill Australia/Canberra Australia/Currie Australia/Darwin Australia/Eucla
    Australia/Hobart Australia/LHI Australia/Lindeman Australia/Lord_Howe Australia/Melbourne Australia/NSW
    Australia/North Australia/Perth Australia/Queensland Australia/South Australia/Sydney Australia/Tasmania
    Australia/Victoria Australia/West Australia/Yancowinna NZ Pacific/Auckland
  `,
  'en-IN': `
    Asia/Calcutta Asia/Colombo Asia/Kolkata Asia/Thimbu Asia/Thimphu
  `,
  'en-ZA': `
    Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Bangui Africa/Blantyre Africa/Brazzaville Africa/Bujumbura
    Africa/Dar_es_Salaam Africa/Djibouti Africa/Douala Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Juba
    Africa/Kampala Africa/Khartoum Africa/Kigali Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda
    Africa/Lubumbashi Africa/Lusaka Africa/Malabo Africa/Maputo Africa/Maseru Africa/Mbabane Africa/Mogadishu
    Africa/Nairobi Africa/Ndjamena Africa/Niamey Africa/Porto-Novo Africa/Sao_Tome Africa/Windhoek
    Indian/Antananarivo Indian/Comoro Indian/Mayotte
  `,
  'ja-JP': `
    Asia/Tokyo Japan
  `,
} as const;

/** By zone name. A table, because asking the platform takes 50 KB outside of the heap for each question. */
export const abbreviatingLocales: ReadonlyMap<string, string> = new Map(
  Object.entries(abbreviating).flatMap(([locale, zones]) => words(zones).map((zone) => [zone, locale] as const)),
);
