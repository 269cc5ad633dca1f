"""What names of columns mean, in English, German, French, Spanish, Italian and Dutch.

A line belongs to one meaning and one language. Write words in lower case without accents (`prenom`; ss, ae, oe, ue as
in `strasse`). Words of one name are joined by `_` (`first_name` also finds `firstName`, `firstname`, `First name`). A
star stands for any letters of the same word (`*nummer`). A word must be met whole: `age` is not found in `page`.
"""

LEXICON: dict[str, dict[str, str]] = {
    # A column of this name holds names of people.
    "person_name": {
        "en": "first_name last_name full_name given_name family_name middle_name maiden_name surname forename "
        "lastname firstname fname lname patient_name customer_name client_name employee_name member_name person_name "
        "student_name contact_name name_of_patient nickname birth_name",
        "de": "vorname vornamen nachname familienname zuname geburtsname name_vorname vorname_name rufname "
        "maedchenname kundenname patientenname ansprechpartner",
        "fr": "prenom prenoms nom_de_famille nom_famille nom_prenom prenom_nom nom_naissance nom_patient nom_client "
        "nom_usage",
        "es": "apellido apellidos primer_apellido segundo_apellido nombre_completo nombre_apellidos nombre_paciente "
        "nombre_cliente nombres",
        "it": "cognome nome_cognome cognome_nome nome_completo nominativo nome_paziente nome_cliente",
        "nl": "voornaam voornamen achternaam familienaam tussenvoegsel roepnaam volledige_naam klantnaam",
    },
    # The same, but only when it is the whole name of the column: a product has a name too.
    "bare_name": {
        "en": "name names person people patient customer client employee member student contact author",
        "de": "name namen person patient kunde mitarbeiter autor",
        "fr": "nom noms personne",
        "es": "nombre persona paciente cliente",
        "it": "nome persona paziente",
        "nl": "naam persoon klant",
    },
    "email": {
        "en": "email e_mail mail emailaddress email_address mail_address",
        "de": "emailadresse e_mail_adresse mailadresse",
        "fr": "courriel adresse_mail adresse_electronique mel",
        "es": "correo correo_electronico",
        "it": "posta_elettronica indirizzo_email",
        "nl": "emailadres mailadres e_mailadres",
    },
    "phone": {
        "en": "phone telephone tel mobile cell cellphone fax phone_number mobile_number landline whatsapp",
        "de": "telefon telefonnummer* telefonnr handy handynummer mobil mobilnummer mobiltelefon festnetz rufnummer",
        "fr": "telephone portable numero_telephone num_tel gsm telecopie",
        "es": "telefono movil celular",
        "it": "telefono cellulare recapito_telefonico",
        "nl": "telefoon telefoonnummer mobiel mobielnummer",
    },
    "birth_date": {
        "en": "dob birth birthdate birthday birthyear birth_date date_of_birth born year_of_birth yob",
        "de": "geburtsdatum geburtstag geburtsjahr geb geb_datum gebdatum gebdat geboren geburtsmonat",
        "fr": "date_naissance date_de_naissance naissance annee_naissance ddn",
        "es": "fecha_nacimiento fecha_de_nacimiento nacimiento ano_nacimiento anio_nacimiento",
        "it": "data_nascita data_di_nascita nascita anno_nascita",
        "nl": "geboortedatum geboortejaar geboorte geboren",
    },
    "date": {
        "en": "date day datetime timestamp time month year",
        "de": "datum *datum tag zeitpunkt zeitstempel monat jahr",
        "fr": "date jour horodatage mois annee",
        "es": "fecha dia mes ano anio",
        "it": "data giorno mese anno",
        "nl": "datum *datum dag tijdstip maand jaar",
    },
    "postcode": {
        "en": "postcode postal postal_code post_code zip zipcode zip_code",
        "de": "plz postleitzahl postleitzahlen",
        "fr": "code_postal cp codepostal",
        "es": "codigo_postal cod_postal cp",
        "it": "cap codice_avviamento_postale codice_postale",
        "nl": "postcode postkode",
    },
    "place": {
        "en": "city town village municipality county district region province country borough residence place "
        "location neighbourhood neighborhood birthplace hometown parish zone nuts lau fips lsoa msoa postal_town",
        "de": "ort wohnort stadt gemeinde kreis landkreis bezirk bundesland land ortsteil stadtteil geburtsort kanton "
        "staat ags gemeindeschluessel gemeindekennziffer",
        "fr": "ville commune departement pays canton arrondissement lieu lieu_naissance code_insee quartier",
        "es": "ciudad municipio provincia comunidad pais localidad poblacion barrio lugar region comarca",
        "it": "citta comune provincia regione nazione paese localita luogo quartiere frazione",
        "nl": "stad plaats woonplaats gemeente provincie land wijk buurt regio geboorteplaats",
    },
    # A place, or something else altogether (the state of an order, an area in square metres).
    "perhaps_place": {"en": "state area ward origin destination station branch site", "de": "gebiet standort filiale"},
    "address": {
        "en": "address street street_address road address_line house_number home_address",
        "de": "adresse anschrift strasse str hausnummer strasse_nr",
        "fr": "adresse rue voie numero_rue",
        "es": "direccion calle domicilio",
        "it": "indirizzo via civico domicilio",
        "nl": "adres straat straatnaam huisnummer",
    },
    "coordinate": {
        "en": "lat latitude lon lng long longitude gps coordinates coordinate",
        "de": "breitengrad laengengrad geobreite geolaenge koordinaten",
        "fr": "latitude longitude coordonnees",
        "es": "latitud longitud coordenadas",
        "it": "latitudine longitudine coordinate",
        "nl": "breedtegraad lengtegraad coordinaten",
    },
    "free_text": {
        "en": "comment comments note notes remark remarks description text message feedback narrative free_text "
        "observation observations summary anamnesis",
        "de": "kommentar bemerkung bemerkungen notiz notizen beschreibung freitext nachricht anmerkung befund *text",
        "fr": "commentaire commentaires remarque remarques texte message observations texte_libre",
        "es": "comentario comentarios observacion observaciones nota notas descripcion texto mensaje",
        "it": "commento commenti osservazioni nota descrizione testo messaggio",
        "nl": "opmerking opmerkingen notitie omschrijving tekst bericht toelichting",
    },
    "age": {
        "en": "age age_years age_group agegroup age_band age_at_diagnosis",
        "de": "alter altersgruppe lebensalter altersklasse",
        "fr": "age tranche_age",
        "es": "edad grupo_edad",
        "it": "eta fascia_eta",
        "nl": "leeftijd leeftijdsgroep leeftijdsklasse",
    },
    "sex": {
        "en": "sex gender salutation title",
        "de": "geschlecht anrede",
        "fr": "sexe genre civilite",
        "es": "sexo genero tratamiento",
        "it": "sesso genere",
        "nl": "geslacht aanhef",
    },
    "amount": {
        "en": "amount income salary wage wages price cost costs revenue balance payment fee premium total turnover "
        "budget rent debt expenses earnings charge charges loan credit_limit capital_gain capital_loss fare",
        "de": "betrag einkommen gehalt lohn preis kosten umsatz saldo zahlung gebuehr praemie miete schulden ausgaben "
        "nettoeinkommen bruttoeinkommen *betrag *kosten *preis",
        "fr": "montant revenu revenus salaire prix cout couts solde paiement prime loyer dette",
        "es": "importe ingreso ingresos salario sueldo precio coste costo saldo pago prima alquiler deuda monto",
        "it": "importo reddito stipendio salario prezzo costo costi saldo pagamento premio affitto debito",
        "nl": "bedrag inkomen salaris loon prijs kosten omzet saldo betaling premie huur schuld",
    },
    # Something others know about a person, or can see.
    "trait": {
        "en": "occupation job profession education marital_status marital civil_status nationality citizenship race "
        "ethnicity ethnic_group religion household_size children employer workclass native_country job_title "
        "relationship language degree height weight",
        "de": "beruf bildung schulabschluss familienstand staatsangehoerigkeit nationalitaet konfession religion "
        "kinder haushaltsgroesse arbeitgeber muttersprache taetigkeit groesse gewicht",
        "fr": "profession metier diplome situation_familiale etat_civil nationalite langue_maternelle enfants "
        "employeur taille poids",
        "es": "ocupacion profesion estudios estado_civil nacionalidad religion hijos idioma empleador estatura peso",
        "it": "occupazione professione istruzione stato_civile nazionalita cittadinanza religione figli titolo_studio "
        "altezza peso",
        "nl": "beroep opleiding burgerlijke_staat nationaliteit godsdienst kinderen werkgever moedertaal lengte "
        "gewicht",
    },
    # Something that can hurt a person who is found.
    "sensitive": {
        "en": "diagnosis diagnoses diagnose icd illness disease condition comorbidity health health_status hiv "
        "disability disabled medication treatment therapy symptom symptoms pregnant pregnancy religion faith ethnicity "
        "ethnic_group race sexual_orientation political_party party union_member income salary wage debt credit_score "
        "conviction convictions offence crime criminal_record arrest welfare benefits",
        "de": "diagnose diagnosen krankheit erkrankung gesundheit behinderung schwerbehindert medikament therapie "
        "behandlung schwanger konfession religion herkunft migrationshintergrund partei gewerkschaft einkommen gehalt "
        "lohn schulden vorstrafe vorstrafen straftat sozialhilfe",
        "fr": "diagnostic maladie sante handicap medicament traitement grossesse religion origine_ethnique "
        "orientation_sexuelle syndicat revenu revenus salaire dette condamnation casier_judiciaire",
        "es": "diagnostico enfermedad salud discapacidad medicamento tratamiento embarazo religion etnia "
        "orientacion_sexual sindicato ingreso ingresos salario sueldo deuda condena antecedentes_penales",
        "it": "diagnosi malattia salute disabilita farmaco trattamento gravidanza religione etnia "
        "orientamento_sessuale sindacato reddito stipendio debito condanna",
        "nl": "diagnose ziekte gezondheid beperking handicap medicatie behandeling zwanger godsdienst etniciteit "
        "seksuele_gerichtheid vakbond inkomen salaris schuld veroordeling strafblad",
    },
    "identifier": {
        "en": "id ids identifier uid uuid guid pid key pk code_id record_number case_number account account_number "
        "account_no policy_number contract_number reference reference_number serial serial_number registration_number "
        "licence_plate license_plate number_plate vin imei mac_address device_id cookie_id hash pseudonym token "
        "userid memberid customerid patientid personid clientid employeeid studentid subjectid participantid",
        "de": "*nummer nr *nr kennung aktenzeichen kennzeichen schluessel *kennzeichen fallnr pseudonym "
        "kundenid patientenid",
        "fr": "identifiant matricule numero_dossier num_dossier numero_contrat immatriculation reference",
        "es": "identificador numero_expediente expediente matricula numero_cuenta num_contrato referencia",
        "it": "identificativo matricola numero_pratica codice_cliente numero_conto targa",
        "nl": "kenmerk dossiernummer *nummer kenteken referentie",
    },
    # An official number of a person or of something only a person has.
    "national_number": {
        "en": "ssn social_security social_security_number national_insurance nino ni_number nhs nhs_number passport "
        "passport_number tax_id tin national_id driving_licence driver_license drivers_license",
        "de": "sozialversicherungsnummer svnr sv_nummer steuer_id steuernummer steueridentifikationsnummer "
        "personalausweisnummer ausweisnummer reisepassnummer versichertennummer krankenversichertennummer ahv "
        "ahv_nummer rentenversicherungsnummer kvnr",
        "fr": "nir numero_securite_sociale num_secu numero_secu passeport",
        "es": "dni nie nif numero_seguridad_social nss pasaporte",
        "it": "codice_fiscale cf codfisc tessera_sanitaria passaporto",
        "nl": "bsn burgerservicenummer sofinummer paspoortnummer rijksregisternummer",
    },
    # Who an identifier belongs to: with a word for an identifier (`member_id`), or as the beginning of a German or
    # Dutch word (`Kundennummer`).
    "person": {
        "en": "person people patient member customer client subject participant respondent employee staff user student "
        "pupil citizen individual insured subscriber donor borrower voter resident applicant beneficiary worker "
        "enrollee cardholder policyholder passenger guest pers pat cust emp "
        "userid memberid customerid patientid personid clientid employeeid studentid subjectid participantid",
        "de": "person* personal* patient* mitglied* kunde kunden* proband* teilnehmer* versicherten* versicherter "
        "mitarbeiter* nutzer* schueler* studenten* buerger* klient* matrikel* bewerber* spender*",
        "fr": "personne patient membre client assure adherent participant employe utilisateur etudiant eleve salarie",
        "es": "persona paciente miembro cliente socio participante empleado usuario alumno asegurado",
        "it": "persona paziente membro cliente socio partecipante dipendente utente studente assistito",
        "nl": "persoon* patient* lid lid* klant* deelnemer* medewerker* gebruiker* student* verzekerde* leerling*",
    },
    # What an identifier or a name belongs to when it is not a person.
    "thing": {
        "en": "product item article file company firm brand hospital school shop store order event drug medication "
        "device species model category department country city street region station branch vendor supplier room class "
        "course type group project column variable version batch lot line page tariff host server campaign",
        "de": "produkt* artikel* datei* firma firmen* haus* marke* krankenhaus* schule filial* bestell* auftrags* "
        "geraet* raum* kurs* projekt* liefer* pharmazentral* chargen*",
        "fr": "produit article fichier societe entreprise marque hopital ecole magasin commande modele",
        "es": "producto articulo archivo empresa marca hospital escuela tienda pedido modelo",
        "it": "prodotto articolo azienda societa marca ospedale scuola negozio ordine modello",
        "nl": "product* artikel* bestand* bedrijf* merk* ziekenhuis* school winkel* order* bestel* model huis*",
    },
}
